/** Addresses of the documentation of svc itself, which the service serves next to the application. */
export const documentation = {
  start: '/docs',
  error: (code: string): string => `/docs/errors#${encodeURIComponent(code)}`,
  rule: (id: string): string => `/docs/rules/${encodeURIComponent(id)}`,
  change: (id: string): string => `/docs/changes/${encodeURIComponent(id)}`,
} as const
