import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import type { Source } from './types.ts';

/** Understands a source as a person writes it; `ref` is one given apart, as by an option. */
export function parseSource(text: string, _environment: Environment, _ref?: string): Source {
  throw new SkillError('unavailable', `${text}: sources cannot be understood yet`);
}
