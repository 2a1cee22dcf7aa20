import { list } from './list.ts';
export const completion = list;
