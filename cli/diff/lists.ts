/** Lists that a comparison is given in files. */
import type { Json } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import { readSettings } from '../input/documents.ts'

/**
 * Reads a list from a YAML or JSON file.
 *
 * @param noun what it has to be: "list of consumers"
 * @param read makes the list of a value, or says what is wrong with it
 * @throws SvcError `usage`
 */
export async function readList<T>(
  name: string,
  cwd: string,
  noun: string,
  read: (value: Json) => T | string,
): Promise<T> {
  const document = await readSettings(name, cwd)
  const answer = read(document.value)
  if (typeof answer === 'string')
    throw new SvcError('usage', { reason: `${name} is not a ${noun}: ${/[.?]$/.test(answer) ? answer : `${answer}.`}` })
  return answer
}
