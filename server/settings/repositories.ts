/** The settings of repositories and of the webhooks that report pushes (server/settings/settings.ts). */
export const hostingSettings = {
  gitHosts: {
    type: 'list',
    env: 'SVC_GIT_HOSTS',
    default: '',
    summary:
      'self-managed git hosts with their providers, such as git.example.com=gitlab,code.example.com:8443=github; http:// before a host reaches it without TLS',
  },
  mirrorFolder: {
    type: 'path',
    env: 'SVC_MIRROR_FOLDER',
    default: null,
    summary:
      'folder for copies of registered git repositories, without the contents of most files; default: mirrors in the workspace',
  },
  mirrorQuota: {
    type: 'integer',
    env: 'SVC_MIRROR_QUOTA',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    default: 5120,
    summary:
      'MiB that these copies can take; those that were not read for longest are removed and fetched again when needed',
  },
  'hooks.ipEnforcement': {
    type: 'switch',
    env: 'SVC_HOOK_IP_ENFORCEMENT',
    default: true,
    summary: 'check the addresses that webhooks of repositories come from',
  },
  'hooks.ipStrict': {
    type: 'switch',
    env: 'SVC_HOOK_IP_STRICT',
    default: false,
    summary: 'block webhooks of providers whose networks are not known, instead of reporting them',
  },
  'hooks.proxyHops': {
    type: 'integer',
    env: 'SVC_HOOK_PROXY_HOPS',
    min: 0,
    max: 10,
    default: 0,
    summary:
      'proxies in front of the service: how far from the right in X-Forwarded-For the sender of a webhook is; 0 ignores that header',
  },
} as const
