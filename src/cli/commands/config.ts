import { list } from './list.ts';
export const config = list;
