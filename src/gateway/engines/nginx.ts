import { modsecurity } from '../dialects/modsecurity.ts'
import { defineEngine } from './engine.ts'

const quoted = (path: string): string => `"${path.replaceAll('"', String.raw`\"`)}"`

const checkText = (release: string): string =>
  [
    'include /etc/nginx/modules-enabled/*.conf;',
    'pid /dev/null;',
    'error_log stderr notice;',
    'events {}',
    `http { access_log off; modsecurity_rules_file ${quoted(`${release}/svc.conf`)}; }`,
    '',
  ].join('\n')

export const nginx = defineEngine({
  kind: 'modsecurity',
  name: 'nginx',
  title: 'nginx with ModSecurity',
  note: 'Without request bodies by schema. Debian has the packages.',
  dialect: modsecurity,
  check: { program: 'nginx', file: 'nginx.conf', text: checkText, words: (file) => ['-t', '-q', '-c', file] },
  reload: 'nginx -t -q && nginx -s reload',
  probes: true,
  version: 'nginx -v',
  compiled: {
    folderProblem: () => null,
    files: () => [],
    nextStep: (folder) =>
      `Add to the server block of nginx: modsecurity on; modsecurity_rules_file ${folder}/svc.conf;`,
  },
})
