import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage keys: of API clients, of agents, and of the MCP endpoint' })
