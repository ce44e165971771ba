{{- /* Variables that the migration needs too. Only existing Secrets: a hook runs before the chart's objects are created. */}}
{{- define "docs.platform.environment" -}}
- name: DOCS_PLATFORM_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .database }}
      key: url
{{- if .certificates }}
- name: NODE_EXTRA_CA_CERTS
  value: /run/certificates/ca.crt
{{- end }}
{{- end }}

{{- define "docs.platform.chartEnvironment" -}}
{{- include "docs.platform.environment" .existingSecrets }}
{{- range $variable, $key := dict "AWS_ACCESS_KEY_ID" "accessKeyId" "AWS_SECRET_ACCESS_KEY" "secretAccessKey" }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $.existingSecrets.bucket }}
      key: {{ $key }}
{{- end }}
{{- with .bucketRegion }}
- name: AWS_REGION
  value: {{ . | quote }}
{{- end }}
# The only writable folder besides /data; an agent keeps its settings there.
- name: HOME
  value: /tmp
{{- end }}

{{- /* Takes (list $ PART), the values of the role. Of two variables with one name the last counts: Helm 4 cannot apply both. */}}
{{- define "docs.platform.roleEnvironment" -}}
{{- $values := (index . 0).Values }}
{{- $own := include "docs.platform.chartEnvironment" $values.platform | fromYamlArray }}
{{- $variables := concat $own $values.env $values.platform.env (index . 1).env }}
{{- $last := dict }}
{{- range $index, $variable := $variables }}
{{- $_ := set $last $variable.name $index }}
{{- end }}
{{- range $index, $variable := $variables }}
{{- if eq $index (get $last $variable.name) }}
{{ toYaml (list $variable) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "docs.platform.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .certificates }}
- name: certificates
  mountPath: /run/certificates
  readOnly: true
{{- end }}
{{- end }}

{{- define "docs.platform.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .certificates }}
- name: certificates
  secret:
    secretName: {{ . }}
{{- end }}
{{- end }}
