import { judgeAgent } from './judge.ts';

judgeAgent('claude-code');
