/** By which means a person did something: the application, the command line or another program with a token, or a key. */
export const auditMeans = ['web', 'token', 'local', 'key'] as const
export type AuditMeans = (typeof auditMeans)[number]
