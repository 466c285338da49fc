import { entry } from './entry.ts'

/** Credentials, permissions, and signing in. */
export const access = {
  'credentials-missing': entry({
    status: 401,
    exit: 2,
    message: 'Not signed in.',
    hint: 'Run "svc auth login" or set SVC_API_KEY.',
    browserHint: 'Sign in.',
  }),
  'credentials-invalid': entry({
    status: 401,
    exit: 2,
    message: 'Invalid credentials: {reason}.',
    hint: 'Check that the key or token was copied completely, is enabled and has not expired, or sign in again.',
    browserHint: 'Check your email address and password, or sign in again.',
  }),
  'metrics-local-only': entry({
    status: 403,
    exit: 2,
    message: 'Only the machine of the service may read its metrics.',
    hint: 'Set SVC_METRICS_TOKEN on the service and send the token as "Authorization: Bearer TOKEN".',
    browserHint: 'Ask the operator of the service for access to its metrics.',
  }),
  'metrics-token-missing': entry({
    status: 401,
    exit: 2,
    message: 'The metrics require a token.',
    hint: 'Send the value of SVC_METRICS_TOKEN as "Authorization: Bearer TOKEN".',
    browserHint: 'Ask the operator of the service for the token of its metrics.',
  }),
  'permission-denied': entry({
    status: 403,
    exit: 2,
    message: 'Missing permission {permission}[: {reason}].',
    hint: 'Ask an Owner or Admin of the organization for a role that includes it.',
  }),
  'scope-denied': entry({
    status: 403,
    exit: 2,
    message: 'The scopes of this API key ({scopes:list}) do not allow this operation.',
    hint: 'Use a key whose scopes include this operation; the scopes of a key cannot be changed.',
  }),
  'person-required': entry({
    status: 403,
    exit: 2,
    message: 'API keys and agent keys cannot call this operation; it requires a signed-in user.',
    hint: 'Run "svc auth login", then repeat the command without the key.',
    browserHint: 'Sign in and repeat this here.',
  }),
  'tenant-access-denied': entry({
    status: 403,
    exit: 2,
    message: 'You have no access to the organization "{tenant}".',
    hint: 'Run "svc auth tenants" to list your organizations.',
    browserHint: 'Choose another organization, or ask one of its administrators for an invitation.',
  }),
  'tenant-unnamed': entry({
    status: 400,
    exit: 2,
    message: 'You belong to {count:number} organizations, and the request does not name one of them.',
    hint: 'Name it with --tenant.',
    browserHint: 'Choose an organization.',
  }),
  'tenant-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no organization "{tenant}".',
    hint: 'Run "svc auth tenants" to list your organizations.',
    browserHint: 'Check the address, or choose another organization.',
  }),
  'membership-suspended': entry({
    status: 403,
    exit: 2,
    message: 'Your membership in this organization is suspended.',
    hint: 'Ask an Owner or Admin of the organization to reactivate it; signing in again does not help.',
  }),
  'refusals-exceeded': entry({
    status: 429,
    exit: 2,
    message: 'Too many requests from this network were refused; try again in {retry_after:seconds}.',
    hint: 'Correct the refused requests before you send them again.',
  }),
  'auth-rate-limited': entry({
    status: 429,
    exit: 1,
    message: 'Too many sign-in attempts; try again in {retry_after:seconds}.',
    hint: 'Wait for the time in Retry-After.',
    browserHint: 'Wait, then try again.',
  }),

  // The device grant of OAuth (RFC 8628), whose codes have underscores
  authorization_pending: entry({
    status: 400,
    exit: 2,
    message: 'The sign-in has not been approved yet.',
    hint: 'Wait for the interval, then ask again.',
  }),
  slow_down: entry({
    status: 400,
    exit: 2,
    message: 'Too many requests for a token; the interval is now {interval:seconds}.',
    hint: 'Wait for the interval before each further request.',
  }),
  access_denied: entry({
    status: 400,
    exit: 2,
    message: 'The sign-in was denied in the browser.',
    hint: 'Run "svc auth login" to start again.',
    browserHint: 'Start the sign-in again.',
  }),
  expired_token: entry({
    status: 400,
    exit: 2,
    message: 'The sign-in expired before it was approved.',
    hint: 'Run "svc auth login" to start again.',
    browserHint: 'Start the sign-in again.',
  }),
  invalid_grant: entry({
    status: 400,
    exit: 2,
    message: 'Invalid device code: it was already used, has expired or is incomplete.',
    hint: 'Run "svc auth login" to start again.',
    browserHint: 'Start the sign-in again.',
  }),
  unsupported_grant_type: entry({
    status: 400,
    exit: 2,
    message: 'Unsupported grant type; only the device grant (RFC 8628) is supported.',
    hint: 'Run "svc auth login" to sign in.',
    browserHint: 'Sign in with a password or with single sign-on.',
  }),
  'sign-in-not-found': entry({
    status: 404,
    exit: 2,
    message: 'This sign-in has already ended.',
    hint: 'List the sign-ins of the account again.',
  }),
  'device-code-unknown': entry({
    status: 404,
    exit: 2,
    message: 'Unknown or expired code.',
    hint: 'Check that the code matches the one that the program shows, or run "svc auth login" for a new one.',
    browserHint:
      'Check that the code matches the one that the program shows, or start the sign-in there again for a new one.',
  }),

  // Single sign-on with OpenID Connect
  'oidc-not-configured': entry({
    status: 404,
    exit: 2,
    message: 'Single sign-on is not configured for this service.',
    hint: 'Sign in with a password, or ask the operator to set SVC_OIDC_ISSUER and SVC_OIDC_CLIENT_ID.',
    browserHint: 'Sign in with a password, or ask the operator to configure single sign-on.',
  }),
  'oidc-unavailable': entry({
    status: 503,
    exit: 1,
    message: 'The identity provider is unavailable: {reason}.',
    hint: 'Try again later; the log of the service has the details.',
  }),
  'oidc-refused': entry({
    status: 403,
    exit: 2,
    message: 'Sign-in with the identity provider failed: {reason}.',
    hint: 'Start again on the sign-in page, in one browser window and within ten minutes.',
  }),
  'oidc-account-unknown': entry({
    status: 403,
    exit: 2,
    message: 'You have no account here, and accounts are not created automatically for your email address.',
    hint: 'Ask an Owner or Admin for an invitation, or ask the operator to allow the domain of your address.',
  }),
  'issuer-unavailable': entry({
    status: 503,
    exit: 1,
    message: 'The token issuer is unavailable, so the token could not be verified.',
    hint: 'Try again later; the log of the service has the details.',
  }),

  // Second factors
  'second-factor-required': entry({
    status: 401,
    exit: 2,
    message: 'The account requires a second factor: {methods:list}.',
    hint: 'Run "svc auth login", which signs in with a browser.',
    browserHint: 'Use a passkey, the code of your authenticator app, or a recovery code.',
    context: {} as { readonly ticket: string; readonly expires_in: number },
  }),
  'second-factor-wrong': entry({
    status: 401,
    exit: 2,
    message: 'The second factor was not accepted: {reason}.',
    hint: 'Enter the current code of the authenticator app, or an unused recovery code.',
  }),
  'next-code-required': entry({
    status: 401,
    exit: 2,
    message:
      'Too many wrong codes came from places where you never signed in, so two consecutive codes are required here.',
    hint: 'Wait until the authenticator app shows its next code, then enter both codes.',
    context: {} as { readonly retry_after: number },
  }),
  'sign-in-ticket-invalid': entry({
    status: 401,
    exit: 2,
    message: 'This sign-in has expired or was already completed.',
    hint: 'Sign in with the password again to get a new ticket.',
    browserHint: 'Sign in again.',
  }),
  'second-factor-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The account has no {factor}.',
    hint: 'Run "svc auth second-factor show" to list your second factors.',
    browserHint: 'Reload the page to see your second factors.',
  }),
  'second-factor-setup-required': entry({
    status: 403,
    exit: 2,
    message: 'The organization {tenant} requires a second factor, and your account has none.',
    hint: 'Run "svc auth second-factor create", or add a passkey in the application, under Your account.',
    browserHint: 'Add a second factor under Your account.',
  }),
  'second-factor-own-missing': entry({
    status: 409,
    exit: 2,
    message: 'Your own account has no second factor, so you would lock yourself out.',
    hint: 'Run "svc auth second-factor create" first, then require one of the members.',
    browserHint: 'Add a second factor under Your account first.',
  }),
  'second-factor-enforced': entry({
    status: 409,
    exit: 2,
    message: 'This is your last second factor, and these organizations require one: {tenants:list}.',
    hint: 'Add another second factor first, or leave the organization.',
  }),
  'passkeys-unavailable': entry({
    status: 409,
    exit: 2,
    message: 'Passkeys cannot be used here: {reason}.',
    hint: 'Open the service at its public address (SVC_PUBLIC_URL), which must have a host name and https.',
    browserHint:
      'Open the service at its public address. The operator sets that address; it must have a host name and https.',
  }),
  'passkey-refused': entry({
    status: 403,
    exit: 2,
    message: 'The passkey was not accepted: {reason}.',
    hint: 'Try again, or use another second factor.',
  }),
  'passkeys-exceeded': entry({
    status: 409,
    exit: 2,
    message: 'An account can have {max:number} passkeys.',
    hint: 'Remove one that you no longer use first.',
  }),
  'password-missing': entry({
    status: 409,
    exit: 2,
    message: 'The account has no password, so it cannot have a second factor here.',
    hint: 'Set up the second factor at the identity provider where you sign in.',
  }),

  // Browser sessions
  'csrf-token-invalid': entry({
    status: 403,
    exit: 2,
    message: 'The CSRF token is missing or has expired.',
    hint: 'Reload the page, then try again.',
    browserHint: 'Reload the page, then try again.',
  }),
  'browser-session-required': entry({
    status: 403,
    exit: 2,
    message: 'This operation is available in the web application only.',
    hint: 'Open the web application, sign in and do it there.',
  }),
  'cross-site-request': entry({
    status: 403,
    exit: 2,
    message: 'The request came from a page of another site.',
    hint: 'Open the web application directly and try again there.',
  }),
} as const
