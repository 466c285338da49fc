/** Servers of the MCP catalogue as agents see them. */
import { Type, type Static } from '@sinclair/typebox'
import { endpointStates, transports } from '../mcp-catalogue/types.ts'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'

export const specItemKinds = ['tool', 'resource', 'template', 'prompt'] as const

export const SpecMcpServer = titled(
  'SpecMcpServer',
  Type.Object({
    server: Type.String({ description: 'The id that the other operations on it take.' }),
    tenant: Type.String({ description: 'Slug of the organization.' }),
    name: Type.String(),
    title: orNull(Type.String()),
    description: orNull(Type.String()),
    transport: oneOf(transports),
    address: orNull(Type.String()),
    state: oneOf(endpointStates),
    approved: Type.Boolean({ description: 'Whether the server offers exactly what a person approved.' }),
    tools: Type.Integer(),
    observed_at: orNull(dateTime()),
  }),
)
export type SpecMcpServer = Static<typeof SpecMcpServer>

export const SpecMcpItem = titled(
  'SpecMcpItem',
  Type.Object({
    kind: oneOf(specItemKinds),
    name: Type.String(),
    description: Type.String(),
    read_only: Type.Optional(Type.Boolean()),
    destructive: Type.Optional(Type.Boolean()),
  }),
)
export type SpecMcpItem = Static<typeof SpecMcpItem>

export const SpecMcpPart = titled(
  'SpecMcpPart',
  Type.Object({
    server: Type.String(),
    name: Type.String(),
    kind: oneOf(specItemKinds),
    value: Type.Unknown({ description: 'As the server sent it.' }),
  }),
)
export type SpecMcpPart = Static<typeof SpecMcpPart>
