import type { KeyScope } from '../../src/api/permissions.ts'

/** Who is calling, as proven by the credentials of the request. */
export type Principal =
  /** A person: an access token, a browser session, or the owner of the local workspace calling in-process. */
  | { readonly kind: 'user'; readonly userId: string; readonly via: 'jwt' | 'session' | 'local' }
  | {
      readonly kind: 'api-key'
      readonly keyId: string
      readonly tenantId: string
      readonly scopes: readonly KeyScope[]
    }
  | { readonly kind: 'agent-key'; readonly keyId: string; readonly tenantId: string; readonly tools: readonly string[] }
  | { readonly kind: 'mcp-key'; readonly keyId: string; readonly tenantId: string }
  /** A gateway; its key is that of one enforcer, whose id is the id of the key. */
  | { readonly kind: 'gateway-key'; readonly keyId: string; readonly tenantId: string }
