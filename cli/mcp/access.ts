import { addressesOf } from '../../server/primitives/aliases.ts'
import { resolve } from 'node:path'
import { isPostgresUrl } from '../../db/failures.ts'
import type { Call } from '../../src/api/endpoint.ts'
import { secretVariable } from '../../server/settings/secret-files.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { version } from '../version.gen.ts'

/** An open way to the published specifications for an MCP server. */
export interface McpAccess {
  /** The way for a caller with this key; null means no key. */
  readonly callFor: (key: string | null) => Call
  readonly close: () => Promise<void>
}

const leastSecret = 16

/** The secret that signs the cursors of agents; empty where none is configured. @throws SvcError `config-invalid` */
export const internalSecretOf = (env: Invocation['env']): string => secretVariable(env, 'SVC_MCP_INTERNAL_SECRET')

/**
 * Checks what can be checked before anything is opened.
 * @throws SvcError `usage` for a database without its secret, a short secret, and a text that names no database
 */
export function checkMcpAccess(env: Invocation['env']): void {
  const secret = internalSecretOf(env)
  if (env.SVC_MCP_DATABASE_URL && secret.length < leastSecret)
    throw new SvcError('usage', {
      reason: `SVC_MCP_DATABASE_URL also needs SVC_MCP_INTERNAL_SECRET with at least ${leastSecret} characters.`,
    })
  const databaseUrl = env.SVC_MCP_DATABASE_URL ?? ''
  if (databaseUrl !== '' && !databaseUrl.startsWith('sqlite:') && !isPostgresUrl(databaseUrl))
    throw new SvcError('usage', { reason: 'SVC_MCP_DATABASE_URL must be postgres://… or sqlite:FILE.' })
  if (secret !== '' && secret.length < leastSecret)
    throw new SvcError('usage', { reason: `SVC_MCP_INTERNAL_SECRET must have at least ${leastSecret} characters.` })
}

/**
 * Opens what an MCP server reads: the service of --base-url; else the database of SVC_MCP_DATABASE_URL
 * (postgres://… or sqlite:FILE), which takes SVC_MCP_INTERNAL_SECRET as well; else the local workspace.
 *
 * @param unnamed who a caller without key is: the owner of the workspace, or the stored sign-in, where the process was
 *   started by them (stdio); no one where anyone may connect (HTTP)
 * @throws SvcError `usage`, `database-unavailable`, `workspace-unusable`
 */
export async function openMcpAccess(
  { globals, env, cwd, signal, io }: Pick<Invocation, 'globals' | 'env' | 'cwd' | 'signal' | 'io'>,
  unnamed: 'owner' | 'anonymous',
): Promise<McpAccess> {
  if (globals.baseUrl !== undefined) {
    const [{ callOverHttp }, { callAsLogin, Login }] = await Promise.all([
      import('../connection/http.ts'),
      import('../connection/login.ts'),
    ])
    const { baseUrl, timeoutMs } = globals
    const options = { baseUrl, timeoutMs, signal }
    // Anyone who started the process may have signed in; anyone who only connects to it has not.
    const login = unnamed === 'owner' ? new Login(env, options) : null
    return {
      callFor: (key) =>
        key === null && login !== null
          ? callAsLogin(login, options)
          : callOverHttp({ ...options, apiKey: key ?? undefined }),
      close: async () => {},
    }
  }
  const databaseUrl = env.SVC_MCP_DATABASE_URL
  checkMcpAccess(env)
  const [
    { openDatabase },
    { createCore },
    { ensureLocalTenant },
    { storedTarget, workspaceFolder },
    { parseNetworks },
    { embeddingsOf },
    { loadConfig },
  ] = await Promise.all([
    import('../../db/open.ts'),
    import('../../server/core.ts'),
    import('../../server/auth/local-tenant.ts'),
    import('../connection/workspace.ts'),
    import('../../server/egress/address.ts'),
    import('../../server/embeddings/settings.ts'),
    import('../configuration.ts'),
  ])
  const { values } = loadConfig({ globals, env, cwd })
  const folder = workspaceFolder(values.workspace ?? undefined, env, cwd)
  const db = await openDatabase(
    databaseUrl?.startsWith('sqlite:')
      ? { kind: 'sqlite', path: resolve(cwd, databaseUrl.slice('sqlite:'.length)) }
      : await storedTarget({ ...values, databaseUrl: databaseUrl || values.databaseUrl }, env, folder),
  )
  const service = createCore({
    db,
    publicUrl: () => values.publicUrl?.replace(/\/+$/, '') ?? '',
    publicUrlAliases: addressesOf(values.publicUrlAliases),
    egressAllow: parseNetworks(values.egressAllow),
    embeddings: embeddingsOf(values),
    // A host waits for its server to end; what is not embedded by then is taken up again later.
    jobDrainMs: 200,
    version,
    onFault: (fault) => io.log.error(fault instanceof Error ? fault.message : String(fault)),
  })
  if (service.deps.embedder) service.deps.wake()
  const isOwn = !databaseUrl && unnamed === 'owner'
  const owner = isOwn ? (await ensureLocalTenant(db, Date.now())).ownerId : null
  return {
    callFor: (key) => (key === null && owner !== null ? service.callAs(owner, signal) : service.callWith(key)),
    async close() {
      await service.stop()
      await db.close()
    },
  }
}

/**
 * The spelling of tool names that SVC_MCP_TOOL_NAMES asks for.
 * @throws SvcError `usage` for another word
 */
export function toolNamesOf(env: Invocation['env']): 'dots' | 'underscore' {
  const names = env.SVC_MCP_TOOL_NAMES || 'dots'
  if (names === 'dots' || names === 'underscore') return names
  throw new SvcError('usage', { reason: `SVC_MCP_TOOL_NAMES must be dots or underscore, not "${names}".` })
}
