import { list } from './list.ts';
export const search = list;
