import { Type } from '@sinclair/typebox'
import { dateTime, orNull } from '../../kernel/shapes.ts'
import { event, type EventLinks, exampleLinks, exampleTime } from './declare.ts'

/** About an environment of the gateway policy. */
export interface OfEnvironment {
  readonly environment_id: string
  readonly environment_slug: string
  readonly environment_name: string
}

interface GatewaySilent extends OfEnvironment {
  readonly enforcer_id: string
  readonly enforcer_label: string
  readonly last_seen_at: string
}

interface ReleaseFailed extends OfEnvironment {
  readonly policy_version: number
  /** Null: it could not be made. */
  readonly release_id: string | null
  /** The gateway that could not use it; null where it could not be made. */
  readonly enforcer_id: string | null
  readonly enforcer_label: string | null
  readonly reason: string
}

const ofEnvironment = {
  environment_id: Type.String(),
  environment_slug: Type.String(),
  environment_name: Type.String(),
}
const urls = Type.Object({
  environment: Type.String({ description: 'The environment in the API.' }),
  application: Type.String({ description: 'The gateways or the releases of the environment in the application.' }),
})

const environmentUrls = (
  { environment_id, environment_slug, enforcer_id }: OfEnvironment & { readonly enforcer_id: string | null },
  { publicUrl, tenant }: EventLinks,
) => ({
  environment: `${publicUrl}/v1/slate/environments/${environment_id}`,
  application: `${publicUrl}/app/t/${tenant}/-/gateway/${environment_slug}/${enforcer_id === null ? 'releases' : 'gateways'}`,
})

const exampleEnforcer = {
  environment_id: '01980c67-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  environment_slug: 'production',
  environment_name: 'Production',
  enforcer_id: '01980c67-2b3c-7d4e-9f50-6b7c8d9e0f1a',
  enforcer_label: 'edge-1',
}
const exampleUrls = environmentUrls(exampleEnforcer, exampleLinks)

/** Events about gateways. */
export const gatewayEvents = {
  'gateway.silent': event({
    type: 'gateway.silent',
    title: 'GatewaySilentEvent',
    summary: 'A gateway has sent nothing for two minutes.',
    data: {
      ...ofEnvironment,
      enforcer_id: Type.String(),
      enforcer_label: Type.String(),
      last_seen_at: dateTime(),
      urls,
    },
    example: { ...exampleEnforcer, last_seen_at: exampleTime, urls: exampleUrls },
    dataOf: (payload: GatewaySilent, links) => ({ ...payload, urls: environmentUrls(payload, links) }),
  }),
  'gateway.release_failed': event({
    type: 'gateway.release_failed',
    title: 'GatewayReleaseFailedEvent',
    summary: 'A release of a gateway policy could not be made, or a gateway could not use it.',
    data: {
      ...ofEnvironment,
      policy_version: Type.Integer(),
      release_id: orNull(Type.String({ description: 'Null: the release could not be made.' })),
      enforcer_id: orNull(
        Type.String({ description: 'The gateway that could not use it; null where it could not be made.' }),
      ),
      enforcer_label: orNull(Type.String()),
      reason: Type.String(),
      urls,
    },
    example: {
      ...exampleEnforcer,
      policy_version: 12,
      release_id: '01980c67-3c4d-7e5f-a061-7c8d9e0f1a2b',
      reason: 'caddy validate: 30-rules.conf, line 12: unknown operator',
      urls: exampleUrls,
    },
    dataOf: (payload: ReleaseFailed, links) => ({ ...payload, urls: environmentUrls(payload, links) }),
  }),
}
