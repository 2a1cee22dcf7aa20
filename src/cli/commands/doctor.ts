import { list } from './list.ts';
export const doctor = list;
