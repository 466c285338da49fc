import { command } from '../../cli/declare.ts'
import { whoami, whoamiSchema } from '../../cli/auth/memberships.ts'

export default command({
  summary: 'Say where you are signed in, as what, and with which roles',
  examples: ['svc auth whoami', 'svc --base-url https://svc.example auth whoami --json'],
  arguments: [],
  options: {},
  dataSchema: whoamiSchema,
  run: whoami,
})
