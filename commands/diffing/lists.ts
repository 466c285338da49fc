/** Lists that a comparison is given in files. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Json } from '../../src/document/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { explainUnreadable } from '../documents.ts'

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
  const path = resolve(cwd, name)
  const text = await readFile(path, 'utf8').catch(async (error: unknown) => {
    throw new SvcError('usage', { reason: await explainUnreadable(name, path, error) })
  })
  const document = parseDocument(text, { source: name })
  const fault = document.problems.find((it) => it.severity === 'error')
  if (fault !== undefined) {
    const { line, character } = fault.range.start
    throw new SvcError('usage', { reason: `${name}:${line + 1}:${character + 1}: ${fault.message}` })
  }
  const answer = read(document.value)
  if (typeof answer === 'string') throw new SvcError('usage', { reason: `${name} is no ${noun}: ${answer}.` })
  return answer
}
