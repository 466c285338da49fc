import { command } from '../../cli/declare.ts'
import { whoami, whoamiSchema } from '../../cli/auth/memberships.ts'

export default command({
  summary: 'The same as "svc auth whoami"',
  examples: ['svc auth status'],
  arguments: [],
  options: {},
  dataSchema: whoamiSchema,
  run: whoami,
})
