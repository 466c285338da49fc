import { group } from '../../cli/declare.ts'

export default group({
  summary: 'Keep a catalogue of MCP servers: import, observe, compare and approve what they offer',
})
