/** What a policy asks of the gateways that enforce it. The room of the gateways implements it; the wiring hands it over. */
import type { Reader, Transaction } from '../../db/database.ts'
import type { Environment } from '../../src/api/environments.ts'
import type { SecurityPolicy } from '../../src/api/gateway.ts'
import type { Policy } from '../../src/gateway-policy/model.ts'
import type { Deps } from '../kit/door.ts'
import type { ApplyChange, GatewayOperation } from './operations.ts'
import type { EnvironmentRow } from './store.ts'

/** A gateway as far as a policy needs to know it. */
export interface EnforcingGateway {
  readonly kind: string
  readonly capabilities: readonly string[]
  readonly lastSeenAt: string | null
}

export interface Enforcement {
  /** Asks for a release of the environment, in the transaction of the change that it follows from; the change does not wait for it. */
  readonly askForRelease: (
    deps: Pick<Deps, 'clock'>,
    tx: Transaction,
    row: Pick<EnvironmentRow, 'id' | 'tenantId'>,
  ) => Promise<void>
  /** The gateways of an environment, oldest first. */
  readonly gatewaysOf: (read: Reader, row: EnvironmentRow) => Promise<readonly EnforcingGateway[]>
  /** How many gateways an environment has, and how many use its newest release, another one, or are silent. */
  readonly countsOf: (read: Reader, row: EnvironmentRow, now: number) => Promise<Environment['enforcers']>
  /** What each engine does with each setting of a policy, the newest release, and the one that each gateway uses. */
  readonly stateOf: (
    read: Reader,
    row: EnvironmentRow,
    policy: Policy,
    now: number,
  ) => Promise<Pick<SecurityPolicy, 'enforces' | 'releases'>>
  /** How approved changes of gateways are made. */
  readonly changes: Readonly<Record<GatewayOperation, ApplyChange>>
}

/** What the functions of policies are given, as their first argument. */
export interface PolicyDeps extends Deps {
  readonly enforcement: Enforcement
}
