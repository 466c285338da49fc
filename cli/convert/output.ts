/** Where a document that was made goes, and in which syntax. */
import type { Syntax } from '../../src/convert/text.ts'
import { SvcError } from '../../src/errors.ts'
import { writeOptionFile } from '../output/reports.ts'

/** The options of every command that writes a document. */
export const outputOptions = {
  output: { type: 'string', short: 'o', placeholder: 'FILE', summary: 'write to a file instead of standard output' },
  format: {
    type: 'string',
    placeholder: 'SYNTAX',
    choices: ['yaml', 'json'],
    ofDocument: true,
    summary: 'syntax of the result (default: by the name of the output, else that of the document)',
  },
} as const

export interface Output {
  readonly output: string | undefined
  readonly format: 'yaml' | 'json' | undefined
}

/** The syntax of what is written: as asked for, by the ending of the file, else that of the document. */
export function syntaxOf({ output, format }: Output, own: Syntax): Syntax {
  if (format !== undefined) return format
  if (output !== undefined && /\.json$/i.test(output)) return 'json'
  return output !== undefined && /\.ya?ml$/i.test(output) ? 'yaml' : own
}

/**
 * Writes a text where --output says; null sends it to standard output.
 * @throws SvcError `file-unwritable`, `usage` for an empty name
 */
export async function writeOutput(
  text: string,
  { output }: Pick<Output, 'output'>,
  cwd: string,
): Promise<string | null> {
  if (output === undefined || output === '-') return text
  if (output === '') throw new SvcError('usage', { reason: '--output names no file' })
  await writeOptionFile(output, text, cwd)
  return null
}
