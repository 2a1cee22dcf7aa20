import { judgeAgent } from './judge.ts';

judgeAgent('gemini-cli');
