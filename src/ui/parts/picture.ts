/** Pictures that hold nothing but a picture. */
export function isPicture(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(path);
}
