import type { AccountRepository, GitProvider } from '../../src/api/linked-accounts.ts'

/** What authorizes requests to a provider. */
export interface Credential {
  readonly provider: GitProvider
  readonly host: string
  readonly token: string
  readonly email: string | null
  /** Whether it is of an installation of a GitHub App, and not of a person. */
  readonly isInstallation?: true
}

/** Who a token belongs to, as the provider says it. */
export interface Named {
  /** Null where the answer does not say it. */
  readonly login: string | null
  readonly scopes: readonly string[]
  /** Scopes without which repositories cannot be read. */
  readonly missing: readonly string[]
  readonly expiresAt: string | null
}

/** Who a token belongs to; texts are single lines of bounded length. */
export interface Identified extends Named {
  readonly login: string
}

export interface RepositoryPage {
  readonly repositories: readonly AccountRepository[]
  readonly next: string | null
}

/** A JSON answer of a provider. */
export interface ProviderAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Asks the API of a provider: a path below its base, with the credential; with something that is sent, or without. */
export type Ask = (
  path: string,
  send?: { readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly body?: unknown },
) => Promise<ProviderAnswer>

/** A webhook as it is made at a provider. */
export interface ProviderHook {
  readonly fullName: string
  readonly url: string
  readonly secret: string
}

/** The few calls of a provider's REST API that are used; all else comes by git. */
export interface ProviderCalls {
  readonly base: (origin: string) => string
  readonly headers: (credential: Credential) => Readonly<Record<string, string>>
  /** The user that a token is the password of, for git over HTTP. */
  readonly gitUser: (credential: Credential) => string
  /** Who the token belongs to; null where the provider refuses it. */
  readonly identify: (ask: Ask) => Promise<Named | null>
  /** A page of the repositories that a token can read, whose names contain `query`; null where the provider refuses it. */
  readonly list: (ask: Ask, query: string, cursor: string | null) => Promise<RepositoryPage | null>
  /** Makes a webhook for pushes. */
  readonly createHook: (ask: Ask, hook: ProviderHook) => Promise<ProviderAnswer>
  /** Gives it another secret. */
  readonly updateHook: (ask: Ask, hook: ProviderHook & { readonly id: string }) => Promise<ProviderAnswer>
  readonly removeHook: (ask: Ask, hook: { readonly fullName: string; readonly id: string }) => Promise<ProviderAnswer>
}
