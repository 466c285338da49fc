/** Sentences about identity that take more than one question, in our words, and the tests that prove them. */

import type { Proof } from '../../proofs.ts'

const tenants = 'server/tenants/tenants.test.ts'
const ownership = 'server/tenants/ownership.test.ts'
const onboarding = 'server/onboarding/onboarding.test.ts'
const keys = 'server/keys/keys.test.ts'
const members = 'server/members/members.test.ts'
const addresses = 'server/members/addresses.test.ts'
const delays = 'server/auth/delays.test.ts'
const authenticate = 'server/sign-in/authenticate.test.ts'
const authorize = 'server/auth/authorize.test.ts'
const signIn = 'server/sign-in/sign-in.test.ts'
const tokens = 'server/sign-in/tokens.test.ts'
const setup = 'server/sign-in/setup.test.ts'
const device = 'server/sign-in/device.test.ts'
const oidc = 'server/sign-in/oidc.test.ts'
const external = 'server/sign-in/external-tokens.test.ts'
const replicas = 'server/sign-in/replicas.test.ts'
const attacks = 'server/sign-in/attacks.test.ts'
const matrix = 'server/authorization.test.ts'
const transitions = 'server/identity/transitions.test.ts'
const login = 'commands/auth/login.test.ts'

export const proofs: readonly Proof[] = [
  {
    of: '2.1',
    says: 'every membership of a person, one of a key, with role, status and plan',
    by: [[tenants, 'a person has all memberships with role, status and plan']],
  },
  {
    of: '2.1',
    says: 'legacy administrators read as Owner, unknown roles as Editor',
    by: [[members, 'older words for roles']],
  },
  {
    of: '2.1',
    says: 'the numbers of the license are those that the guards enforce',
    by: [
      [tenants, 'the license says what the guards enforce'],
      [members, 'seats: promised ones count'],
      [keys, 'the quota of the plan holds against many at once'],
    ],
  },
  { of: '2.2', says: 'the sample project is best effort', by: [[onboarding, 'the sample project is best effort']] },
  { of: '2.2', says: 'names and slugs', by: [[onboarding, 'names and slugs that cannot be are 400']] },
  {
    of: '2.16',
    says: 'shown once; only a hash is stored',
    by: [[keys, 'a key is shown once; only prefix and hash are kept']],
  },
  {
    of: '2.16',
    says: 'the last use is noted',
    by: [[authenticate, 'the use of a key is noted, at most once a minute']],
  },
  { of: '3.1', says: 'every transition of a key from every status', by: [[transitions, '3.1 API key']] },
  {
    of: '3.1',
    says: 'effects are immediate for callers',
    by: [[keys, 'every transition of the status, and what callers get']],
  },
  { of: '3.1', says: 'scopes never change', by: [[keys, 'scopes: the four presets and nothing else']] },
  { of: '3.2', says: 'every transition of a membership from every status', by: [[transitions, '3.2 membership']] },
  {
    of: '3.2',
    says: 'suspension is immediate, signing in does not end it',
    by: [[members, 'suspending is effective with the next request']],
  },
  { of: '3.3', says: 'from every step to every step, with every event', by: [[transitions, '3.3 wizard']] },
  { of: '3.3', says: 'an expired state reads as absent', by: [[onboarding, 'an old position reads as absent']] },
  { of: '4.1', says: 'agent keys: list, make, look, revoke', by: [[keys, 'agent keys: a part of the toolset']] },
  { of: '4.1', says: 'the root answers anybody', by: [[attacks, 'the root answers anybody']] },
  {
    of: '4.2',
    says: 'provisioning is atomic; of many who want a slug one gets it',
    by: [[onboarding, 'of many who want one slug, exactly one gets it and nothing is left of the others']],
  },
  { of: '4.2', says: 'the cap holds against many requests at once', by: [[onboarding, 'the cap of tenants holds']] },
  {
    of: '4.2',
    says: '429 when the budget is spent, on all five',
    by: [[onboarding, 'all of it is for people, and stops when the budget']],
  },
  {
    of: '5.1',
    says: 'the two forms, and the query only where documents are',
    by: [[authenticate, 'a key is taken from X-API-Key and from Authorization']],
  },
  {
    of: '5.2',
    says: 'tenancy comes from the credential',
    by: [
      [authorize, 'paths without tenant'],
      [matrix, 'in their own and in a foreign tenant'],
    ],
  },
  { of: '5.3', says: 'what keys cannot', by: [[matrix, 'callers of every kind']] },
  {
    of: '5.4',
    says: 'keys are made in the application alone',
    by: [[keys, 'keys are made in a browser session alone']],
  },
  {
    of: '5.5',
    says: 'presets and days',
    by: [
      [keys, 'scopes: the four presets'],
      [keys, 'expiry in whole days'],
    ],
  },
  {
    of: '5.5',
    says: 'what each scope reaches',
    by: [
      [authorize, 'a narrow key reaches only the operations that name its scope'],
      [matrix, 'callers of every kind'],
    ],
  },
  { of: '5.6', says: 'no key is shown again', by: [[keys, 'a key is shown once']] },
  {
    of: '5.7',
    says: 'the warning from 14 days on, and rotation',
    by: [
      [keys, 'with a warning from 14 days before it'],
      [keys, 'rotation: same scopes'],
    ],
  },
  { of: '5.8', says: 'the grid of roles', by: [[matrix, 'the grid of permissions is the one that was decided']] },
  { of: '5.10', says: 'MCP keys: ceiling, defaults, tools of their own', by: [[keys, 'MCP keys: ceiling']] },
  { of: '5.11', says: 'password', by: [[signIn, 'a password gives tokens that work']] },
  {
    of: '5.11',
    says: 'on another device',
    by: [
      [device, 'from the code to tokens that work, once'],
      [login, 'the whole way'],
    ],
  },
  { of: '5.11', says: 'at an issuer', by: [[oidc, 'an account is made for a verified address']] },
  { of: '5.11', says: 'tokens of other issuers', by: [[external, 'a token identifies the account']] },
  { of: '5.12', says: 'every operation has a rule', by: [[matrix, 'every operation has a rule that means something']] },
  {
    of: '5.13',
    says: 'agent keys have a toolset, an expiry, a revocation',
    by: [[keys, 'a revocation that keeps the row']],
  },
  {
    of: '6',
    says: 'funnel events are counted as they are sent',
    by: [[onboarding, 'the funnel counts what is sent and nothing else']],
  },
  {
    of: '7',
    says: '401 for deleted and expired keys',
    by: [
      [matrix, 'credentials that are no longer good'],
      [authenticate, 'unknown, disabled, expired, revoked and deleted keys'],
    ],
  },
  { of: '7', says: '429 carries Retry-After', by: [[signIn, 'with Retry-After']] },
  {
    of: '8',
    says: 'max_tenants of a person',
    by: [[onboarding, 'the cap of tenants holds against many requests at once, and follows plan and operator']],
  },
  {
    of: '8',
    says: 'seats, those of the free plan without a license',
    by: [[onboarding, 'a tenant without a free seat takes nobody in']],
  },
  {
    of: 'decisions 3',
    says: 'the set-up link: once, 30 minutes, a file of 0600 that goes',
    by: [
      [setup, 'the link creates the first user once'],
      [setup, 'the token ends after 30 minutes'],
      [replicas, 'from the set-up link'],
    ],
  },
  {
    of: 'decisions 3',
    says: 'refresh tokens rotate; a used one ends the family',
    by: [[signIn, 'refresh tokens rotate; showing a used one ends the whole sign-in']],
  },
  {
    of: 'decisions 3',
    says: 'logging out, a new password',
    by: [
      [signIn, 'refresh tokens end after 30 days, by logging out'],
      [signIn, 'a new password ends every token'],
    ],
  },
  {
    of: 'decisions 3',
    says: 'claims and life of access tokens',
    by: [
      [tokens, 'its claims are iss, aud, sub, jti, iat and exp'],
      [tokens, 'it ends after 15 minutes'],
    ],
  },
  {
    of: 'decisions 4',
    says: 'a typo is refused before any query',
    by: [[authenticate, 'a mistyped key is refused before any query']],
  },
  { of: 'decisions 5', says: 'the last Owner cannot leave', by: [[members, 'the last Owner cannot leave']] },
  {
    of: 'decisions 5',
    says: 'deleting a tenant and giving it away are for Owners',
    by: [
      [ownership, 'goes to an active member'],
      [ownership, 'an Owner deletes the tenant'],
    ],
  },
  {
    of: 'decisions 3',
    says: 'what has ended is removed',
    by: [['server/sign-in/sweep.test.ts', 'is removed when its time has come']],
  },
  {
    of: 'attack',
    says: 'credential stuffing',
    by: [
      [signIn, 'ten attempts a minute from one address'],
      [delays, 'grow with each failure'],
      [delays, 'one network that tries many accounts'],
      [delays, 'at both servers at once'],
      [replicas, 'the budget of an address is one for both'],
    ],
  },
  {
    of: 'attack',
    says: 'keeping the owner out by guessing',
    by: [
      [delays, 'however much is guessed elsewhere'],
      [delays, 'waits a minute at most, once'],
      [delays, 'in which another person guesses'],
    ],
  },
  {
    of: 'attack',
    says: 'theft of a refresh token',
    by: [
      [signIn, 'two tabs that refresh with one token at once'],
      [login, 'of many processes at once one renews'],
    ],
  },
  {
    of: 'attack',
    says: 'algorithm confusion',
    by: [
      [tokens, 'algorithm confusion'],
      [external, 'algorithm confusion'],
    ],
  },
  {
    of: 'attack',
    says: 'kid tricks',
    by: [
      [tokens, 'kid tricks'],
      [external, 'kid tricks'],
    ],
  },
  {
    of: 'attack',
    says: 'expired and foreign issuers, mix-up',
    by: [
      [tokens, 'other issuers and audiences'],
      [external, 'issuer, audience, expiry'],
      [oidc, 'mix-up'],
    ],
  },
  {
    of: 'attack',
    says: 'session fixation',
    by: [
      [signIn, 'a browser session: cookie and CSRF token, a fresh one at each sign-in'],
      [oidc, 'no session is fixed'],
      [oidc, 'in the browser that asked'],
    ],
  },
  {
    of: 'attack',
    says: 'CSRF',
    by: [
      [matrix, 'a browser session changes nothing without its CSRF token'],
      [signIn, 'a form of another site cannot sign a visitor in'],
      [device, 'approving takes a browser session'],
    ],
  },
  { of: 'attack', says: 'clickjacking', by: [[attacks, 'no page can be framed']] },
  {
    of: 'attack',
    says: 'open redirect',
    by: [
      [oidc, 'after signing in one comes back into the application'],
      [attacks, 'nothing redirects elsewhere'],
    ],
  },
  {
    of: 'attack',
    says: 'key in address and logs',
    by: [
      [replicas, 'no secret is in a log'],
      [attacks, 'a key in an address'],
    ],
  },
  {
    of: 'attack',
    says: 'timing of comparing keys and passwords',
    by: [
      [attacks, 'by its time'],
      ['server/auth/password.test.ts', 'a password is tried with one computation'],
    ],
  },
  {
    of: 'attack',
    says: 'races for one slug',
    by: [
      [onboarding, 'of many who want one slug'],
      [attacks, 'two servers race for one slug'],
    ],
  },
  {
    of: 'attack',
    says: 'an account for the address of another person',
    by: [
      [addresses, 'never gets the memberships of others'],
      [addresses, 'is not activated'],
      [addresses, 'an account of her own'],
      [addresses, 'a password that came with an invitation ends'],
      [addresses, 'at most one account of an address is verified'],
      [oidc, 'is not used when its owner signs in'],
      ['server/members/entitlement.test.ts', 'no account gets a membership'],
    ],
  },
  {
    of: 'attack',
    says: 'learning from an invitation who has an account',
    by: [
      [addresses, 'say the same of every address'],
      [addresses, 'does not tell whether the address has one'],
    ],
  },
  { of: 'attack', says: "another's membership", by: [[onboarding, "nobody activates another's membership"]] },
]
