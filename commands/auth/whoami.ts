import { command } from '../../cli/declare.ts'
import { whoami, whoamiSchema } from '../../cli/auth/memberships.ts'

export default command({
  summary: 'Show the service, the account and the roles in use',
  examples: ['svc auth whoami', 'svc --base-url https://svc.example auth whoami --json'],
  arguments: [],
  options: {},
  dataSchema: whoamiSchema,
  run: whoami,
})
