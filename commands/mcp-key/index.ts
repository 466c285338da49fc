import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage keys of agents for the MCP endpoint' })
