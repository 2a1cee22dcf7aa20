import { list } from './list.ts';
export const why = list;
