/** Redocly CLI: a major change is breaking. Its rules for changes are those of OpenAPI 3; it is not asked about Swagger 2.0. */
import { printed, toolAt, type Runner } from './runner.ts'

const path = () => toolAt('node_modules', '.bin', 'redocly')

export const redocly: Runner = {
  name: 'redocly',
  install: 'npm install --prefix bench/verdicts/.tools --ignore-scripts @redocly/cli@2.77.0',
  version: () => {
    const found = path()
    return found === null ? null : printed([found, '--version'])
  },
  reads: ({ language }) => language.startsWith('3'),
  command: (base, head) => [path() ?? 'redocly', 'diff', base, head],
  said: ({ exitCode, stdout, stderr }) => {
    const counted = /(\d+) major, \d+ minor, \d+ patch/.exec(stdout + stderr)
    if (counted !== null) return Number(counted[1]) > 0 ? 'breaking' : 'safe'
    return exitCode === 0 ? 'safe' : 'failed'
  },
}
