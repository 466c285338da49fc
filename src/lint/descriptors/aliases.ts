import type { Aliases } from '../rule.ts'

const lists = (name: string): string[] => [`$.${name}[*]`, `$.result.${name}[*]`]

/** Where the parts of an MCP descriptor stand: in a manifest, in the answer of a server, in a list alone. */
export const mcpAliases: Aliases = {
  // A slice looks into lists alone.
  Tool: [...lists('tools'), '$[0:]'],
  Tools: ['$.tools', '$.result.tools', '$'],
  Prompt: lists('prompts'),
  Prompts: ['$.prompts', '$.result.prompts'],
  Resource: lists('resources'),
  Resources: ['$.resources', '$.result.resources'],
  Template: lists('resourceTemplates'),
  Server: ['$', '$[0:]', '$.servers[*]', '$.server'],
}
