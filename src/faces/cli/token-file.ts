import type { Configuration } from '../../core/config/layers.ts';
import { readRegularFile, realPathOrSelf } from '../../core/disk/files.ts';
import { expandPath } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';

const byteLimit = 65_536;

/** The configuration with the token read from its file. Secrets that are mounted into containers are often links. */
export function withToken(configuration: Configuration, environment: Environment): Configuration {
  const { values, origins } = configuration;
  const { where } = origins.authTokenFile;
  if (values.authToken !== undefined) {
    throw new SkillError('usage', `the token is given twice: by ${origins.authToken.where} and by ${where}`);
  }
  const file = expandPath(values.authTokenFile ?? '', environment);
  const read = readRegularFile(realPathOrSelf(file), byteLimit);
  if (!read.ok) {
    throw new SkillError('config', `the token cannot be read from ${file} (${read.reason})`, {
      hint: `Correct ${where}: a file with one line, the token.`,
    });
  }
  return { ...configuration, values: { ...values, authToken: read.value.bytes.toString('utf8').trim() } };
}
