/** What other rooms use of mcp keys. */
export { toolsOfKey } from './capabilities.ts'
