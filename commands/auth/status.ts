import { command } from '../command.ts'
import { whoami, whoamiSchema } from '../memberships.ts'

export default command({
  summary: 'The same as "svc auth whoami"',
  examples: ['svc auth status'],
  arguments: [],
  options: {},
  dataSchema: whoamiSchema,
  run: whoami,
})
