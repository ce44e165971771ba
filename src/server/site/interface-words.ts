/** Translations of the interface and of the assistant's phrases, and properties of languages. */

/** Keys of the texts, in the order of the table. */
const names = [
  "search searchDocs close results oneResult manyResults nothingFound",
  "skipToContent navigation sections site breadcrumb onThisPage pager previous next",
  "version language product darkColours notFound notFoundText frontPage moved notExported",
  "copyCode copyPrompt copied copyFailed sectionLink table done toDo",
  "note info tip warning check danger yes details showMore prompt diagramSource",
  "required deprecated default request response example",
  "authorization pathParameters queryParameters headers cookies body servers",
  "attributes options headerForm scopes or payload type notDescribed recursive andMore furtherFields basicForm",
  "img video audio iframe",
  "noAnswer mayHelp seeAlso",
] as const;

type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Split<Rest> : Text;

/** The texts of the interface and of answers in one language. `{}` is a placeholder. */
export type Words = Readonly<Record<Split<(typeof names)[number]>, string>>;

const table: Readonly<Record<string, string>> = {
  en: `Search|Search the documentation|Close|Results|1 result|{} results|Nothing found for “{}”
|Skip to content|Navigation|Sections|Site|Breadcrumb|On this page|Previous and next page|Previous|Next
|Version|Language|Product|Dark colours|Page not found|There is no page at this address.|Front page|This page has moved|This page is not part of the export
|Copy code|Copy the prompt|Copied|Could not copy|Link to the section “{}”|Table|Done:|To do:
|Note|Info|Tip|Warning|Check|Danger|Yes|Details|Show more|Prompt|Source of the diagram
|required|deprecated|default|Request|Response|Example
|Authorization|Path parameters|Query parameters|Headers|Cookies|Body|Servers
|Child attributes|Available options|A header of the form {}.|Scopes|Or:|Payload|Type|The description of {} is not part of this site.|Recursive: the same fields as {}.|and {} more|Further fields are not shown.|Basic authentication: {}, with {} in Base64.
|Image|Video|Audio|Embedded content
|No page clearly answers this.|These pages may help:|See also:`,
  es: `Buscar|Buscar en la documentación|Cerrar|Resultados|1 resultado|{} resultados|No hay resultados para «{}»
|Ir al contenido|Navegación|Secciones|Sitio|Ruta de navegación|En esta página|Página anterior y siguiente|Anterior|Siguiente
|Versión|Idioma|Producto|Colores oscuros|Página no encontrada|No hay ninguna página en esta dirección.|Portada|Esta página se ha movido|Esta página no forma parte de la exportación
|Copiar código|Copiar el prompt|Copiado|No se pudo copiar|Enlace a la sección «{}»|Tabla|Hecho:|Pendiente:
|Nota|Información|Consejo|Advertencia|Correcto|Peligro|Sí|Detalles|Mostrar más|Prompt|Código del diagrama
|obligatorio|obsoleto|por defecto|Solicitud|Respuesta|Ejemplo
|Autorización|Parámetros de ruta|Parámetros de consulta|Encabezados|Cookies|Cuerpo|Servidores
|Atributos hijos|Opciones disponibles|Un encabezado con la forma {}.|Alcances|O bien:|Carga útil|Tipo|La descripción de {} no forma parte de este sitio.|Recursivo: los mismos campos que {}.|y {} más|No se muestran más campos.|Autenticación básica: {}, con {} en Base64.
|Imagen|Vídeo|Audio|Contenido incrustado
|Ninguna página responde claramente a esto.|Estas páginas pueden ayudar:|Véase también:`,
  fr: `Rechercher|Rechercher dans la documentation|Fermer|Résultats|1 résultat|{} résultats|Aucun résultat pour « {} »
|Aller au contenu|Navigation|Sections|Site|Fil d’Ariane|Sur cette page|Page précédente et suivante|Précédent|Suivant
|Version|Langue|Produit|Couleurs sombres|Page introuvable|Il n’y a aucune page à cette adresse.|Page d’accueil|Cette page a été déplacée|Cette page ne fait pas partie de l’export
|Copier le code|Copier le prompt|Copié|Copie impossible|Lien vers la section « {} »|Tableau|Fait :|À faire :
|Note|Info|Astuce|Avertissement|Validé|Danger|Oui|Détails|Afficher plus|Prompt|Source du diagramme
|obligatoire|obsolète|par défaut|Requête|Réponse|Exemple
|Autorisation|Paramètres de chemin|Paramètres de requête|En-têtes|Cookies|Corps|Serveurs
|Attributs enfants|Options disponibles|Un en-tête de la forme {}.|Portées|Ou :|Charge utile|Type|La description de {} ne fait pas partie de ce site.|Récursif : les mêmes champs que {}.|et {} autres|Les autres champs ne sont pas affichés.|Authentification basique : {}, avec {} en Base64.
|Image|Vidéo|Audio|Contenu intégré
|Aucune page n’y répond clairement.|Ces pages peuvent aider :|Voir aussi :`,
  de: `Suchen|Dokumentation durchsuchen|Schließen|Ergebnisse|1 Ergebnis|{} Ergebnisse|Nichts gefunden für „{}“
|Zum Inhalt|Navigation|Bereiche|Website|Brotkrumen|Auf dieser Seite|Vorherige und nächste Seite|Zurück|Weiter
|Version|Sprache|Produkt|Dunkle Farben|Seite nicht gefunden|Unter dieser Adresse gibt es keine Seite.|Startseite|Diese Seite ist umgezogen|Diese Seite ist nicht Teil des Exports
|Code kopieren|Prompt kopieren|Kopiert|Kopieren nicht möglich|Link zum Abschnitt „{}“|Tabelle|Erledigt:|Offen:
|Hinweis|Info|Tipp|Warnung|Richtig|Gefahr|Ja|Details|Mehr anzeigen|Prompt|Quelltext des Diagramms
|erforderlich|veraltet|Standard|Anfrage|Antwort|Beispiel
|Autorisierung|Pfadparameter|Abfrageparameter|Header|Cookies|Inhalt|Server
|Untergeordnete Attribute|Mögliche Werte|Ein Header der Form {}.|Scopes|Oder:|Payload|Typ|Die Beschreibung von {} ist nicht Teil dieser Website.|Rekursiv: dieselben Felder wie {}.|und {} weitere|Weitere Felder werden nicht gezeigt.|Basic-Authentifizierung: {}, mit {} in Base64.
|Bild|Video|Audio|Eingebetteter Inhalt
|Keine Seite beantwortet das eindeutig.|Diese Seiten könnten helfen:|Siehe auch:`,
  it: `Cerca|Cerca nella documentazione|Chiudi|Risultati|1 risultato|{} risultati|Nessun risultato per “{}”
|Vai al contenuto|Navigazione|Sezioni|Sito|Percorso|In questa pagina|Pagina precedente e successiva|Precedente|Successiva
|Versione|Lingua|Prodotto|Colori scuri|Pagina non trovata|A questo indirizzo non c’è alcuna pagina.|Pagina iniziale|Questa pagina è stata spostata|Questa pagina non fa parte dell’esportazione
|Copia il codice|Copia il prompt|Copiato|Copia non riuscita|Link alla sezione “{}”|Tabella|Fatto:|Da fare:
|Nota|Info|Suggerimento|Avviso|Corretto|Pericolo|Sì|Dettagli|Mostra altro|Prompt|Sorgente del diagramma
|obbligatorio|deprecato|predefinito|Richiesta|Risposta|Esempio
|Autorizzazione|Parametri di percorso|Parametri di query|Intestazioni|Cookie|Corpo|Server
|Attributi figli|Opzioni disponibili|Un’intestazione della forma {}.|Ambiti|Oppure:|Payload|Tipo|La descrizione di {} non fa parte di questo sito.|Ricorsivo: gli stessi campi di {}.|e altri {}|Gli altri campi non sono mostrati.|Autenticazione di base: {}, con {} in Base64.
|Immagine|Video|Audio|Contenuto incorporato
|Nessuna pagina risponde chiaramente.|Queste pagine possono aiutare:|Vedi anche:`,
  pt: `Pesquisar|Pesquisar na documentação|Fechar|Resultados|1 resultado|{} resultados|Nada encontrado para “{}”
|Ir para o conteúdo|Navegação|Seções|Site|Trilha de navegação|Nesta página|Página anterior e próxima|Anterior|Próxima
|Versão|Idioma|Produto|Cores escuras|Página não encontrada|Não há nenhuma página neste endereço.|Página inicial|Esta página foi movida|Esta página não faz parte da exportação
|Copiar código|Copiar o prompt|Copiado|Não foi possível copiar|Link para a seção “{}”|Tabela|Feito:|A fazer:
|Nota|Informação|Dica|Aviso|Correto|Perigo|Sim|Detalhes|Mostrar mais|Prompt|Código do diagrama
|obrigatório|obsoleto|padrão|Requisição|Resposta|Exemplo
|Autorização|Parâmetros de caminho|Parâmetros de consulta|Cabeçalhos|Cookies|Corpo|Servidores
|Atributos filhos|Opções disponíveis|Um cabeçalho no formato {}.|Escopos|Ou:|Payload|Tipo|A descrição de {} não faz parte deste site.|Recursivo: os mesmos campos de {}.|e mais {}|Os demais campos não são mostrados.|Autenticação básica: {}, com {} em Base64.
|Imagem|Vídeo|Áudio|Conteúdo incorporado
|Nenhuma página responde claramente a isto.|Estas páginas podem ajudar:|Veja também:`,
  ru: `Поиск|Поиск по документации|Закрыть|Результаты|1 результат|Результатов: {}|По запросу «{}» ничего не найдено
|К содержанию|Навигация|Разделы|Сайт|Путь по сайту|На этой странице|Предыдущая и следующая страница|Назад|Далее
|Версия|Язык|Продукт|Тёмное оформление|Страница не найдена|По этому адресу нет страницы.|Главная страница|Страница перемещена|Эта страница не входит в экспорт
|Скопировать код|Скопировать промпт|Скопировано|Не удалось скопировать|Ссылка на раздел «{}»|Таблица|Готово:|Не сделано:
|Примечание|Информация|Совет|Предупреждение|Верно|Опасность|Да|Подробности|Показать ещё|Промпт|Исходный текст диаграммы
|обязательно|устарело|по умолчанию|Запрос|Ответ|Пример
|Авторизация|Параметры пути|Параметры запроса|Заголовки|Cookie|Тело|Серверы
|Вложенные атрибуты|Допустимые значения|Заголовок вида {}.|Области доступа|Или:|Данные|Тип|Описание {} не входит в этот сайт.|Рекурсия: те же поля, что и у {}.|и ещё {}|Остальные поля не показаны.|Базовая аутентификация: {}, где {} в Base64.
|Изображение|Видео|Аудио|Встроенное содержимое
|Ни одна страница не даёт ясного ответа.|Эти страницы могут помочь:|См. также:`,
  ar: `بحث|البحث في الوثائق|إغلاق|النتائج|نتيجة واحدة|عدد النتائج: {}|لا توجد نتائج لـ «{}»
|الانتقال إلى المحتوى|التنقل|الأقسام|الموقع|مسار التنقل|في هذه الصفحة|الصفحة السابقة والتالية|السابق|التالي
|الإصدار|اللغة|المنتج|ألوان داكنة|الصفحة غير موجودة|لا توجد صفحة على هذا العنوان.|الصفحة الرئيسية|نُقلت هذه الصفحة|هذه الصفحة ليست جزءًا من التصدير
|نسخ الشيفرة|نسخ الموجّه|تم النسخ|تعذّر النسخ|رابط القسم «{}»|جدول|تم:|للإنجاز:
|ملاحظة|معلومة|نصيحة|تحذير|صحيح|خطر|نعم|التفاصيل|عرض المزيد|موجّه|مصدر المخطط
|مطلوب|مهمل|الافتراضي|الطلب|الاستجابة|مثال
|التفويض|معاملات المسار|معاملات الاستعلام|الترويسات|ملفات تعريف الارتباط|المحتوى|الخوادم
|السمات الفرعية|الخيارات المتاحة|ترويسة بالصيغة {}.|نطاقات الوصول|أو:|الحمولة|النوع|وصف {} ليس جزءًا من هذا الموقع.|تكراري: الحقول نفسها كما في {}.|و{} أخرى|لا تُعرض الحقول الأخرى.|المصادقة الأساسية: {}، مع {} بترميز Base64.
|صورة|فيديو|صوت|محتوى مضمّن
|لا توجد صفحة تجيب عن ذلك بوضوح.|قد تفيد هذه الصفحات:|انظر أيضًا:`,
  ja: `検索|ドキュメントを検索|閉じる|検索結果|1 件|{} 件|「{}」に一致するものはありません
|本文へ移動|ナビゲーション|セクション|サイト|パンくずリスト|このページの内容|前後のページ|前へ|次へ
|バージョン|言語|製品|ダークモード|ページが見つかりません|このアドレスにページはありません。|トップページ|このページは移動しました|このページはエクスポートに含まれていません
|コードをコピー|プロンプトをコピー|コピーしました|コピーできませんでした|セクション「{}」へのリンク|表|完了:|未完了:
|注記|情報|ヒント|警告|確認|危険|はい|詳細|さらに表示|プロンプト|図のソース
|必須|非推奨|デフォルト|リクエスト|レスポンス|例
|認証|パスパラメータ|クエリパラメータ|ヘッダー|Cookie|本文|サーバー
|子属性|使用できる値|{} の形式のヘッダー。|スコープ|または:|ペイロード|型|{} の説明はこのサイトに含まれていません。|再帰: {} と同じフィールド。|ほか {} 件|以降のフィールドは表示されません。|Basic 認証: {}（{} を Base64 でエンコード）。
|画像|動画|音声|埋め込みコンテンツ
|明確に答えているページはありません。|参考になりそうなページ:|関連ページ:`,
  ko: `검색|문서 검색|닫기|검색 결과|결과 1개|결과 {}개|“{}”에 대한 결과가 없습니다
|본문으로 건너뛰기|탐색|섹션|사이트|이동 경로|이 페이지의 내용|이전 및 다음 페이지|이전|다음
|버전|언어|제품|어두운 색상|페이지를 찾을 수 없습니다|이 주소에는 페이지가 없습니다.|첫 페이지|이 페이지는 이동했습니다|이 페이지는 내보내기에 포함되지 않았습니다
|코드 복사|프롬프트 복사|복사됨|복사하지 못했습니다|“{}” 섹션 링크|표|완료:|할 일:
|참고|정보|팁|경고|확인|위험|예|세부 정보|더 보기|프롬프트|다이어그램 소스
|필수|사용 중단|기본값|요청|응답|예시
|인증|경로 매개변수|쿼리 매개변수|헤더|쿠키|본문|서버
|하위 속성|사용 가능한 값|{} 형식의 헤더입니다.|권한 범위|또는:|페이로드|유형|{}에 대한 설명은 이 사이트에 없습니다.|재귀: {}와(과) 같은 필드입니다.|외 {}개|이후의 필드는 표시되지 않습니다.|기본 인증: {}, {}를 Base64로 인코딩합니다.
|이미지|동영상|오디오|포함된 콘텐츠
|이에 명확히 답하는 페이지가 없습니다.|도움이 될 수 있는 페이지:|함께 보기:`,
  zh: `搜索|搜索文档|关闭|搜索结果|1 条结果|{} 条结果|没有找到“{}”
|跳到正文|导航|栏目|网站|面包屑导航|本页内容|上一页和下一页|上一页|下一页
|版本|语言|产品|深色模式|找不到页面|此地址没有页面。|首页|此页面已移动|此页面不在导出内容中
|复制代码|复制提示词|已复制|复制失败|指向“{}”一节的链接|表格|已完成：|待办：
|注意|信息|提示|警告|正确|危险|是|详情|显示更多|提示词|图表源码
|必填|已弃用|默认值|请求|响应|示例
|授权|路径参数|查询参数|请求头|Cookie|请求体|服务器
|子属性|可选值|格式为 {} 的请求头。|权限范围|或：|负载|类型|此网站不包含 {} 的说明。|递归：字段与 {} 相同。|等另外 {} 个|其余字段未显示。|基本身份验证：{}，其中 {} 采用 Base64 编码。
|图片|视频|音频|嵌入内容
|没有页面明确回答这个问题。|这些页面可能有帮助：|另请参阅：`,
  "zh-hant": `搜尋|搜尋文件|關閉|搜尋結果|1 項結果|{} 項結果|找不到「{}」
|跳到內文|導覽|分區|網站|頁面路徑|本頁內容|上一頁與下一頁|上一頁|下一頁
|版本|語言|產品|深色模式|找不到頁面|此網址沒有頁面。|首頁|此頁面已移動|此頁面不在匯出內容中
|複製程式碼|複製提示詞|已複製|複製失敗|前往「{}」一節的連結|表格|已完成：|待辦：
|注意|資訊|提示|警告|正確|危險|是|詳細資料|顯示更多|提示詞|圖表原始碼
|必填|已棄用|預設值|請求|回應|範例
|授權|路徑參數|查詢參數|標頭|Cookie|請求內容|伺服器
|子屬性|可用選項|格式為 {} 的標頭。|權限範圍|或：|承載資料|類型|此網站不包含 {} 的說明。|遞迴：欄位與 {} 相同。|等另外 {} 個|其餘欄位未顯示。|基本驗證：{}，其中 {} 採用 Base64 編碼。
|圖片|影片|音訊|嵌入內容
|沒有頁面明確回答這個問題。|這些頁面可能有幫助：|另請參閱：`,
};

/** The texts that scripts need. Each page passes them in an attribute. */
export const scriptWords = [
  ...(["search", "searchDocs", "close", "results", "oneResult", "manyResults", "nothingFound"] as const),
  ...(["copyCode", "copyPrompt", "copied", "copyFailed"] as const),
];

const wordsByLanguage = new Map(
  Object.entries(table).map(([language, row]) => {
    const cells = row.split(/\n?\|/);
    const named = names.join(" ").split(" ");
    return [language, Object.fromEntries(named.map((name, index) => [name, cells[index]])) as Words];
  }),
);

/** The languages with translations. */
export const interfaceLanguages: readonly string[] = [...wordsByLanguage.keys()];

/** The interface texts for a language tag such as `pt-BR`; in English without a translation. */
export function wordsFor(language: string): Words {
  const tag = language.toLowerCase();
  const isTraditional = /^zh-(?:hant|tw|hk|mo)\b/.test(tag);
  const words = wordsByLanguage.get(isTraditional ? "zh-hant" : (tag.split("-")[0] ?? ""));
  return words ?? (wordsByLanguage.get("en") as Words);
}

/** Invalid language codes that sites use. */
const correctedTags: Readonly<Record<string, string>> = { cn: "zh-CN", jp: "ja", "ja-jp": "ja" };

/** Normalizes a language tag for HTML; `undefined` if it is invalid. */
export function languageTag(code: string | undefined): string | undefined {
  const tag = correctedTags[code?.toLowerCase() ?? ""] ?? code?.replaceAll("_", "-");
  return tag !== undefined && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) ? tag : undefined;
}

/** Whether a language is written from right to left. */
export function isRightToLeft(language: string): boolean {
  return /^(?:ar|dv|fa|he|ps|sd|ug|ur|yi)(?:-|$)/i.test(language);
}

/** Scripts that identify a language. Kana precede Han, which Japanese shares with Chinese. */
const scripts: readonly (readonly [script: RegExp, lang: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]+/gu, "ja"],
  [/\p{Script=Hangul}+/gu, "ko"],
  [/\p{Script=Han}+/gu, "zh"],
  [/\p{Script=Arabic}+/gu, "ar"],
  [/\p{Script=Hebrew}+/gu, "he"],
  [/\p{Script=Thai}+/gu, "th"],
];

/** The language of a text of whose letters more than a share is in its script. Four letters tell Persian from Arabic. */
export function languageOfScript(text: string, share = 0): string | undefined {
  // A site may have thousands of pages that contain only what this removes: Latin, Greek, Cyrillic and punctuation.
  const others = text.replace(/[\0-\u058f\u1e00-\u2e7f]+/g, "");
  const count = (letters: RegExp, within: string) => within.match(letters)?.join("").length ?? 0;
  const isCommon = (letters: RegExp) => {
    const found = count(letters, others);
    return found > 0 && found > share * count(/\p{L}+/gu, text);
  };
  const lang = scripts.find(([script]) => isCommon(script))?.[1];
  return lang === "ar" && /[پچژگ]/.test(text) ? "fa" : lang;
}
