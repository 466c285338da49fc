import { group } from '../command.ts'

export default group({ summary: 'Keys of agent hosts for the MCP endpoint' })
