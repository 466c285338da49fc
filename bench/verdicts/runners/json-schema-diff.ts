/** json-schema-diff: what it reports as removed is breaking. It reads draft-07, and no API descriptions. */
import { readFileSync } from 'node:fs'
import { toolAt, type Runner } from './runner.ts'

const path = () => toolAt('node_modules', '.bin', 'json-schema-diff')

export const jsonSchemaDiff: Runner = {
  name: 'json-schema-diff',
  install: 'npm install --prefix bench/verdicts/.tools --ignore-scripts json-schema-diff@1.0.0',
  version: () => {
    const about = toolAt('node_modules', 'json-schema-diff', 'package.json')
    if (path() === null || about === null) return null
    return (JSON.parse(readFileSync(about, 'utf8')) as { version: string }).version
  },
  reads: ({ direction, base, head }) =>
    direction === 'schema' && [base, head].every((path) => readFileSync(path, 'utf8').includes('draft-07')),
  command: (base, head) => [path() ?? 'json-schema-diff', base, head],
  said: ({ exitCode, stdout, stderr }) => {
    if (/Breaking changes found/.test(stdout + stderr)) return 'breaking'
    return exitCode === 0 ? 'safe' : 'failed'
  },
}
