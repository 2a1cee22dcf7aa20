import { list } from './list.ts';
export const validate = list;
