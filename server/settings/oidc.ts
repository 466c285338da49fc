/** Settings of the identity provider that people sign in with. */
export const oidcSettings = {
  'oidc.issuer': {
    type: 'text',
    env: 'SVC_OIDC_ISSUER',
    default: null,
    summary:
      'OpenID Connect identity provider that people sign in with: its issuer address, exactly as in its `iss` claim',
  },
  'oidc.clientId': {
    type: 'text',
    env: 'SVC_OIDC_CLIENT_ID',
    default: null,
    summary:
      'client id of this service at the identity provider; the redirect address to register is PUBLIC-URL/_app/oidc/callback',
  },
  'oidc.clientSecret': {
    type: 'text',
    env: 'SVC_OIDC_CLIENT_SECRET',
    default: null,
    secret: 'all',
    summary: 'client secret of this service at the identity provider; leave out for a public client',
  },
  'oidc.scopes': {
    type: 'text',
    env: 'SVC_OIDC_SCOPES',
    default: 'openid email profile',
    summary: 'scopes that are requested from the identity provider',
  },
  'oidc.name': {
    type: 'text',
    env: 'SVC_OIDC_NAME',
    default: null,
    summary: 'name of the identity provider on the sign-in page; default: its host',
  },
  'oidc.allowedDomains': {
    type: 'list',
    env: 'SVC_OIDC_ALLOWED_DOMAINS',
    default: '',
    summary: 'domains of verified e-mail addresses that may sign in with the identity provider; all when empty',
  },
  'oidc.provision': {
    type: 'choice',
    env: 'SVC_OIDC_PROVISION',
    choices: ['none', 'domains', 'all'],
    default: 'domains',
    summary: 'who gets an account at the first sign-in: none, domains (the allowed ones), or all',
  },
  'oidc.logout': {
    type: 'choice',
    env: 'SVC_OIDC_LOGOUT',
    choices: ['local', 'provider'],
    default: 'local',
    summary:
      'what signing out ends: the session here, or the one at the identity provider too; the address to register there is PUBLIC-URL/_app/oidc/signed-out',
  },
  'oidc.rules': {
    type: 'path',
    env: 'SVC_OIDC_RULES',
    default: null,
    summary: 'file with rules that give people a role in an organization for their groups; read again when it changes',
  },
  'oidc.rulesBy': {
    type: 'choice',
    env: 'SVC_OIDC_RULES_BY',
    choices: ['organizations', 'operator'],
    default: 'organizations',
    summary:
      'who writes rules for groups: organizations for themselves, or only the operator in the file; operator where strangers sign in at the same provider',
  },
} as const
