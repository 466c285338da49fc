import { settings } from '../../server/settings/settings.ts'

/**
 * Options of every command that starts a process of the service. What is absent comes from the variables, the configuration file, the
 * defaults of the settings.
 * @param port what the help says of the port
 */
export const processOptions = (port: string) =>
  ({
    host: { type: 'string', placeholder: 'HOST', summary: 'address to listen on (127.0.0.1; $SVC_HOST)' },
    port: { type: 'integer', min: 0, max: 65_535, summary: port },
    'public-url': {
      type: 'string',
      placeholder: 'URL',
      summary: 'public URL of the service ($SVC_PUBLIC_URL)',
    },
    'database-url': {
      type: 'string',
      placeholder: 'URL',
      summary: 'postgres:// URL (safer in $SVC_DATABASE_URL: other users can see command lines)',
    },
    'log-level': {
      type: 'string',
      placeholder: 'LEVEL',
      choices: settings.logLevel.choices,
      summary: 'minimum log level of the JSON log on standard error (info; warn on a terminal; $SVC_LOG_LEVEL)',
    },
  }) as const
