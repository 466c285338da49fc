import { catalogue, type Code } from '../../../src/errors.ts'
import type { Entry } from '../../../src/errors/entry.ts'

/** What to do next, for people in a browser, where the catalogue gives advice for programs or for the command line. */
const hints: Partial<Record<Code, string>> = {
  'credentials-missing': 'Sign in and try again.',
  'credentials-invalid': 'Sign in again.',
  'person-required': 'Sign in with your own account and try again.',
  'tenant-access-denied': 'Choose one of your organizations.',
  'tenant-not-found': 'Choose one of your organizations.',
  'device-code-unknown': 'Compare the code with the one your program shows, or start the sign-in there again.',
  'setup-token-invalid': 'Restart the service to get a new link.',
  'project-not-found': 'Check the address, or choose a project from the list.',
  'project-slug-taken': 'Choose another slug, or import into the existing project.',
  'style-guide-not-found': 'Choose a style guide from the list.',
  'style-guide-read-only': 'Duplicate the guide and change the duplicate.',
  'rule-not-found': 'Choose a rule from the list.',
  'policy-version-not-found': 'Choose a snapshot from the list of the guide.',
  'version-not-found': 'Choose a version from the list of the project.',
  'version-label-taken': 'Change info.version in the document.',
  'format-unknown': 'Supported formats: OpenAPI, Swagger, Arazzo and JSON Schema, as JSON or YAML.',
  'publish-gates-failed': 'See the failed gates on the overview of the version.',
  'request-malformed': 'Reload the page, then try again.',
  'media-type-unsupported': 'Choose a file of one of these kinds.',
  'method-not-allowed': 'Reload the page, then try again.',
  'impact-failed': 'Calculate it again. If the error stays, contact the operator of the service.',
  'delivery-not-found': 'It may have been removed: deliveries are kept for 30 days, dead letters for 90.',
  'relint-failed': 'Results up to that point are kept. Start it again.',
  'template-not-found': 'Choose a template from the list.',
  'change-rule-not-found': 'Reload the page.',
  'evidence-not-found': 'Record the report of the second tool first.',
  'consumer-not-found': 'Choose a consumer from the list of the project.',
  'contract-not-found': 'Choose a revision from the list of the consumer.',
  'source-refused': 'Check the source and try again.',
  'transport-failed': 'Check your connection and that the service is running, then try again.',
  'database-unavailable': 'Try again in a moment. If the error stays, contact the operator of the service.',
}

/** Words that mean something in a shell, in a request or to an operator, and nothing in the application. */
const foreign = /\bsvc |--[a-z]|\bcurl\b|SVC_[A-Z]|`|\bbody\.|\/v1\/|X-API-Key|Retry-After|Idempotency-Key/

const general = (status: number): string => {
  if (status === 401) return 'Sign in again.'
  if (status === 403) return 'Ask an Owner or Admin of the organization.'
  if (status === 404) return 'Check the address.'
  if (status === 429) return 'Wait a moment, then try again.'
  return status >= 500
    ? 'Try again. If the error stays, contact the operator of the service.'
    : 'Check your input and try again.'
}

/** What a person in a browser can do about an error of this code: never a command, an option or a header. */
export const browserHint = (code: Code): string => {
  const { hint, status, browserHint: own }: Entry = catalogue[code]
  return hints[code] ?? own ?? (foreign.test(hint) ? general(status) : hint)
}

/** The same for a code as the service sent it; null for one that this application does not know. */
export const hintOf = (code: string): string | null => (code in catalogue ? browserHint(code as Code) : null)
