import { openDatabase } from '../../db/open.ts'
import { createCore } from '../../server/core.ts'
import { parseNetworks } from '../../server/egress/address.ts'
import { compatibilityOf } from '../../server/compatibility/settings.ts'
import { embeddingsOf } from '../../server/embeddings/settings.ts'
import { issuersOf } from '../../server/sign-in/issuer-settings.ts'
import { mailOf } from '../../server/mail/settings.ts'
import { hostingOf } from '../../server/hosting/settings.ts'
import { addressesOf } from '../../server/primitives/aliases.ts'
import { plansOf } from '../../server/license/plans.ts'
import { ensureLocalTenant } from '../../server/auth/local-tenant.ts'
import { keySourceOf } from '../../server/vault/settings.ts'
import { loadConfig } from '../configuration.ts'
import type { Globals } from '../globals.ts'
import { version } from '../version.gen.ts'
import type { ConnectContext, Connection } from './connection.ts'
import { storedTarget, workspaceFolder } from './workspace.ts'

// On one's own machine a document served on loopback is one's own; a service must not reach it.
const loopback = '127.0.0.0/8,::1/128'

/**
 * Opens the local workspace and answers calls in this process, as its owner. The first use makes it.
 * @throws SvcError `config-invalid`, `workspace-unusable`, `database-unavailable`, `database-newer`
 */
export async function connectLocal(globals: Globals, { env, cwd, signal, log }: ConnectContext): Promise<Connection> {
  const { values } = loadConfig({ globals, env, cwd })
  const folder = workspaceFolder(values.workspace ?? undefined, env, cwd)
  log.debug(`Workspace: ${folder}`)
  const target = await storedTarget(values, env, folder)
  const db = await openDatabase(target)
  if (db.readOnly !== null) log.warn(`The workspace ${folder} can only be read: ${db.readOnly}.`)
  const local = await ensureLocalTenant(db, Date.now())
  const service = createCore({
    db,
    publicUrl: () => values.publicUrl?.replace(/\/+$/, '') ?? '',
    publicUrlAliases: addressesOf([values.publicUrl ?? '', values.publicUrlAliases].join(',')),
    egressAllow: parseNetworks([loopback, values.egressAllow].filter(Boolean).join(',')),
    keys: keySourceOf(values, folder, target),
    gitIdentity: 'person',
    plans: plansOf(values),
    // A command ends before a provider or a webhook has answered: it queues what it publishes, and a server does the rest.
    embeddings: embeddingsOf(values),
    issuers: issuersOf(values),
    mail: mailOf(values),
    compatibility: compatibilityOf(values),
    hosting: hostingOf(values, folder),
    version,
    follows: false,
    onFault: (fault) => log.debug(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)),
  })
  return {
    call: service.callAs(local.ownerId, signal),
    shutdownCall: service.callAs(local.ownerId, new AbortController().signal),
    tenant: () => Promise.resolve(globals.tenant ?? local.slug),
    async close(force) {
      await service.stop(force)
      await db.close()
    },
    describe: folder,
  }
}
