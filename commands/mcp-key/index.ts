import { group } from '../../cli/declare.ts'

export default group({ summary: 'Keys of agent hosts for the MCP endpoint' })
