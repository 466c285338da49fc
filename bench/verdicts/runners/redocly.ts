/** Redocly CLI: `redocly diff` fails where a change is major, which is breaking. */
import { printed, toolAt, type Runner } from './runner.ts'

const path = () => toolAt('node_modules', '.bin', 'redocly')

export const redocly: Runner = {
  name: 'redocly',
  install: 'npm install --prefix bench/verdicts/.tools --ignore-scripts @redocly/cli@2.77.0',
  version: () => {
    const found = path()
    return found === null ? null : printed([found, '--version'])
  },
  reads: ({ direction }) => direction !== 'schema',
  command: (base, head) => [path() ?? 'redocly', 'diff', base, head],
  said: ({ exitCode, stdout, stderr }) => {
    const counted = /(\d+) major, \d+ minor, \d+ patch/.exec(stdout + stderr)
    if (counted !== null) return Number(counted[1]) > 0 ? 'breaking' : 'safe'
    return exitCode === 0 ? 'safe' : 'failed'
  },
}
