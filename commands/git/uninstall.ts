import { command } from '../../cli/declare.ts'
import { installDrivers } from '../../cli/git/install.ts'

export default command({
  summary: 'Remove the drivers of "svc git install"',
  examples: ['svc git uninstall', 'svc git uninstall --global'],
  arguments: [],
  options: { global: { type: 'boolean', summary: 'those of the configuration of your account' } },
  run: (invocation) => installDrivers(invocation, false),
})
