import { judgeAgent } from './judge.ts';

judgeAgent('opencode');
