import { command } from '../../cli/declare.ts'
import { whoami, whoamiSchema } from '../../cli/auth/memberships.ts'

export default command({
  summary: 'Alias of "svc auth whoami"',
  examples: ['svc auth status'],
  arguments: [],
  options: {},
  dataSchema: whoamiSchema,
  run: whoami,
})
