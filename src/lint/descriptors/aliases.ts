import type { Aliases } from '../rule.ts'

const lists = (name: string): string[] => [`$.${name}[*]`, `$.result.${name}[*]`]

/** The places of the parts of an MCP descriptor: in a manifest, in a response of a server, or in a plain list. */
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
