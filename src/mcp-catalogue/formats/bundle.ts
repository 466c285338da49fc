import { isObject, type Json } from '../../kernel/json.ts'
import type { Draft, DraftTransport } from '../declare.ts'
import { type Reading } from '../reading.ts'
import type { DeclaredPackage } from '../types.ts'
import { readCommand } from './local-command.ts'
import { readIdentity } from './server-json.ts'
import { readSurface } from './surface-lists.ts'

/** Whether a value is the manifest of a bundle (MCPB, formerly DXT). */
export const isBundle = (value: Json): boolean =>
  isObject(value) && (typeof value.manifest_version === 'string' || typeof value.dxt_version === 'string')

/**
 * Reads the `manifest.json` of a bundle. It names tools and prompts without schemas, so its surface is less than the server would
 * send.
 * @throws SvcError `manifest-invalid`
 */
export function readBundle(reading: Reading, value: Json): Draft {
  const manifest = reading.object(value, [], 'the manifest')
  const server = reading.object(manifest.server, ['server'], '"server"')
  const identity = readIdentity(reading, manifest, [])
  const name = reading.required(manifest, ['name'], [], 'the bundle')
  const schemaVersion = reading.text(manifest, ['manifest_version', 'dxt_version'], [])
  const config = server.mcp_config
  const path = ['server', 'mcp_config']
  const command = isObject(config) ? readCommand(reading, config, path) : null
  const own: DeclaredPackage = { registry: 'mcpb', identifier: name, version: identity.version, inputs: [] }
  const way: DraftTransport = {
    type: 'stdio',
    address: null,
    variables: [],
    inputs: [],
    command: null,
    path: ['server'],
    isLocal: true,
  }
  return {
    format: 'mcpb',
    schemaVersion,
    servers: [
      {
        path: [],
        name,
        identity,
        schemaVersion,
        transports: [command?.transport ?? way],
        packages: [own, ...(command?.packages ?? [])],
        surface: readSurface(reading, manifest, []),
        isComplete: false,
      },
    ],
  }
}
