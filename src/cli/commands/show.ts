import { list } from './list.ts';
export const show = list;
