import { catalogue, type Code } from '../src/errors.ts'
import { exitCodes, exitPrecedence } from '../src/errors/exit-codes.ts'
import { renderTable } from './table.ts'

const codes = Object.keys(catalogue) as Code[]

/** All exit codes with their meaning, and the error codes of each. */
export const listCodes = (): { readonly data: Readonly<Record<string, unknown>>; readonly text: string } => ({
  data: { exitCodes, errors: codes.map((code) => ({ code, exitCode: catalogue[code].exit })) },
  text: [
    'Exit codes:',
    '',
    renderTable(
      ['EXIT', 'NAME', 'MEANING'],
      exitCodes.map(({ code, name, meaning }) => [String(code), name, meaning]),
    ),
    `If several apply, the first of ${exitPrecedence.filter((code) => code !== 0).join(', ')} is used.`,
    ...exitCodes.flatMap(({ code: exit, name }) => {
      const own = codes.filter((code) => catalogue[code].exit === exit)
      return own.length === 0 ? [] : ['', `Errors with exit code ${exit} (${name}):`, ...own.map((code) => `  ${code}`)]
    }),
    '',
    '"svc explain CODE" explains an exit code, an error code, a lint rule, a change rule or a warning of a conversion.',
    '',
  ].join('\n'),
})
