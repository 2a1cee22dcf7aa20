export function printHelp(): number {
  return 0;
}
