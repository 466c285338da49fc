/** Files that a command line names. */
import { resolve } from 'node:path'
import type { Json } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { readRegular } from './regular-file.ts'

/**
 * The text of a file, or of standard input for "-", without a byte order mark.
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`
 */
export async function readText(name: string, { cwd, io }: Pick<Invocation, 'cwd' | 'io'>): Promise<string> {
  if (name === '-') return new TextDecoder().decode(await io.stdin())
  return new TextDecoder().decode(await readRegular(name, resolve(cwd, name)))
}

/**
 * The value of a JSON or YAML file, or of standard input for "-".
 * @throws SvcError `usage` with the place of the first fault
 */
export async function readValue(name: string, from: Pick<Invocation, 'cwd' | 'io'>): Promise<Json> {
  const { parseDocument } = await import('../../src/document/parse.ts')
  const { value, problems } = parseDocument(await readText(name, from), { source: name })
  const problem = problems.find((it) => it.severity === 'error')
  if (problem) {
    const { line, character } = problem.range.start
    const where = `${name === '-' ? 'standard input' : name}:${line + 1}:${character + 1}`
    throw new SvcError('usage', {
      reason: `${where}: ${problem.message} In YAML, a text with braces or brackets has to be quoted: path: "/pets/{id}".`,
    })
  }
  return value
}

/**
 * The first line of standard input, without spaces around it: a secret that no one should see on a command line.
 * "" where there is none.
 */
export const readFirstLine = async ({ io }: Pick<Invocation, 'io'>): Promise<string> =>
  new TextDecoder()
    .decode(await io.stdin())
    .split(/\r?\n/, 1)[0]
    ?.trim() ?? ''
