{{- /* Where a template takes (list $ PART), "" is the site; "web", "worker", "migrate" and "sites" belong to the platform. */}}
{{- define "docs.name" -}}
{{ (index . 0).Release.Name }}{{ with index . 1 }}-{{ . }}{{ end }}
{{- end }}

{{- define "docs.selector" -}}
{{- $root := index . 0 }}
{{- $part := index . 1 -}}
{{- /* Two names: the site's service must not find the platform's pods. */ -}}
app.kubernetes.io/name: {{ if $part }}docs-platform{{ else }}{{ $root.Chart.Name }}{{ end }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
{{- with $part }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "docs.metadata" -}}
{{- $root := index . 0 -}}
name: {{ include "docs.name" . }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "docs.selector" . | nindent 2 }}
  app.kubernetes.io/managed-by: {{ $root.Release.Service }}
  helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
{{- end }}

{{- define "docs.pod.security" -}}
securityContext:
  runAsNonRoot: true
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "docs.pod.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "docs.selector" . | nindent 8 }}
{{- end }}

{{- define "docs.pod.nodes" -}}
{{- range $name := list "nodeSelector" "tolerations" "affinity" }}
{{- with index $.Values $name }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- define "docs.container.image" -}}
image: "{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end }}"
imagePullPolicy: {{ .pullPolicy }}
{{- end }}

{{- /* Takes what the check of readiness may take, in seconds, or nothing. */}}
{{- define "docs.container.health" -}}
ports:
  - name: http
    containerPort: 8080
# A process may wait for its database, and reads its sites, before it responds.
startupProbe:
  httpGet:
    path: /livez
    port: http
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 90
readinessProbe:
  httpGet:
    path: /readyz
    port: http
  periodSeconds: 5
  {{- with . }}
  timeoutSeconds: {{ . }}
  {{- end }}
livenessProbe:
  httpGet:
    path: /livez
    port: http
  periodSeconds: 10
  timeoutSeconds: 5
{{- end }}

{{- define "docs.container.lameDuck" -}}
lifecycle:
  preStop:
    exec:
      command:
        - node
        - --eval
        - setTimeout(() => undefined, {{ mul .Values.lameDuckSeconds 1000 }})
{{- end }}

{{- define "docs.container.security" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop:
      - ALL
{{- end }}

{{- /* Takes (list $ PART SERVICE). */}}
{{- define "docs.service" -}}
{{- $service := index . 2 -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "docs.metadata" . | nindent 2 }}
spec:
  type: {{ $service.type }}
  selector:
    {{- include "docs.selector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ $service.port }}
      targetPort: http
{{- end }}

{{- /* Takes (list $ PART INGRESS). */}}
{{- define "docs.ingress" -}}
{{- $ingress := index . 2 -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "docs.metadata" . | nindent 2 }}
  {{- with $ingress.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $ingress.className }}
  ingressClassName: {{ . | quote }}
  {{- end }}
  {{- with $ingress.tlsSecret }}
  tls:
    - hosts:
        - {{ $ingress.host | quote }}
      secretName: {{ . | quote }}
  {{- end }}
  rules:
    - host: {{ $ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "docs.name" . }}
                port:
                  name: http
{{- end }}

{{- /* Takes (list $ PART). */}}
{{- define "docs.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "docs.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "docs.selector" . | nindent 6 }}
{{- end }}

{{- /* Takes (list $ PART POLICY). */}}
{{- define "docs.networkPolicy" -}}
{{- $policy := index . 2 -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "docs.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "docs.selector" . | nindent 6 }}
  policyTypes:
    - Ingress
    - Egress
  ingress:
    - ports:
        - protocol: TCP
          port: http
      {{- with $policy.from }}
      from:
        {{- toYaml . | nindent 8 }}
      {{- end }}
  egress:
    {{- toYaml $policy.egress | nindent 4 }}
{{- end }}
