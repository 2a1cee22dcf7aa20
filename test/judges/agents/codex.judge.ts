import { judgeAgent } from './judge.ts';

judgeAgent('codex');
