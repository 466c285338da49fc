import { Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../../kernel/shapes.ts'
import { event, type EventLinks, exampleLinks, maxSeverity } from './declare.ts'

interface SurfaceChanged {
  readonly endpoint_id: string
  readonly name: string
  readonly address: string | null
  readonly observed_by: 'service' | 'cli' | 'ci'
  readonly from_fingerprint: string
  readonly to_fingerprint: string
  readonly approved_fingerprint: string | null
  readonly max_severity: 'breaking' | 'non-breaking' | 'docs-only' | null
  /** Of the server after it. */
  readonly state: string
  readonly by: string | null
}

const serverUrls = (endpointId: string, { publicUrl, tenant }: EventLinks) => ({
  endpoint: `${publicUrl}/v1/mcp/${tenant}/endpoints/${endpointId}`,
  application: `${publicUrl}/app/t/${tenant}/-/mcp-servers/${endpointId}`,
})

const exampleServer = '01980c66-4d5e-7f6a-8b9c-0d1e2f3a4b5c'
const exampleApproved = 'sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'
const exampleObserved = 'sha256:fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9'

/** Events about the MCP servers of the catalogue. */
export const mcpEvents = {
  'mcp.surface_changed': event({
    type: 'mcp.surface_changed',
    title: 'McpSurfaceChangedEvent',
    summary: 'An MCP server of the catalogue offers something else than before.',
    data: {
      endpoint_id: Type.String(),
      name: Type.String(),
      address: orNull(Type.String({ description: 'Null for a server that a command starts.' })),
      observed_by: oneOf(['service', 'cli', 'ci']),
      from_fingerprint: Type.String(),
      to_fingerprint: Type.String(),
      approved_fingerprint: orNull(Type.String({ description: 'What was approved last; null where nothing was.' })),
      max_severity: maxSeverity,
      state: Type.String({
        description: 'Current state of the server: "drifted" if it differs from what was approved.',
      }),
      urls: Type.Object({
        endpoint: Type.String({ description: 'The server in the API.' }),
        diff: Type.String({ description: 'What changed, in the API.' }),
        application: Type.String({ description: 'The server in the application.' }),
      }),
    },
    example: {
      endpoint_id: exampleServer,
      name: 'com.example/weather',
      address: 'https://mcp.example.com/weather',
      observed_by: 'service',
      from_fingerprint: exampleApproved,
      to_fingerprint: exampleObserved,
      approved_fingerprint: exampleApproved,
      max_severity: 'breaking',
      state: 'drifted',
      urls: {
        endpoint: serverUrls(exampleServer, exampleLinks).endpoint,
        diff: `${serverUrls(exampleServer, exampleLinks).endpoint}/surface-diff`,
        application: serverUrls(exampleServer, exampleLinks).application,
      },
    },
    dataOf: (recorded: SurfaceChanged, links) => {
      const { by: _, ...payload } = recorded
      const { endpoint, application } = serverUrls(payload.endpoint_id, links)
      const diff = `${endpoint}/surface-diff?from=${payload.from_fingerprint}&to=${payload.to_fingerprint}`
      return { ...payload, urls: { endpoint, diff, application } }
    },
  }),
}
